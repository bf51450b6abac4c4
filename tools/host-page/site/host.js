import init from "./host_page.js";

// The query selects the apps to run: each key is a canvas id, each value its options, as in ?a=sized,keys:canvas.
globalThis.apps = [...new URLSearchParams(location.search)].map(([canvas, options]) => {
  const app = { canvas };
  for (const option of options.split(",")) {
    const [name, value] = option.split(":");
    app[name] = value ?? "yes";
  }
  return app;
});
for (const app of apps) {
  if (app.missing) continue;
  const canvas = document.createElement("canvas");
  canvas.id = app.canvas;
  if (app.sized) canvas.className = "sized";
  document.body.append(canvas);
}
await init();
globalThis.isReady = true;
