// Starts the game on its page.

// A module with a SIMD instruction. Browsers that accept it run the faster build; both builds compute the same hashes.
const VECTOR = Uint8Array.of(
  0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 0, 1, 123, 3, 2, 1, 0, 10, 8, 1, 6, 0, 65, 0, 253, 15, 11);

try {
  const options = new URLSearchParams(location.search);
  const isFaster = WebAssembly.validate(VECTOR) && !options.has("scalar");
  const game = await import(isFaster ? "./starship_app_simd.js" : "./starship_app.js");
  await game.default();
  globalThis.game = game;
  globalThis.starship = new game.Starship("game", location.search);
  // A recording that is dropped onto the page is watched.
  const trouble = document.getElementById("trouble");
  addEventListener("dragover", (event) => event.preventDefault());
  addEventListener("drop", async (event) => {
    event.preventDefault();
    const file = event.dataTransfer?.files[0];
    if (!file) return;
    try {
      starship.watch(new Uint8Array(await file.arrayBuffer()));
      trouble.textContent = "";
    } catch (error) {
      trouble.textContent = `${file.name}: ${error}`;
    }
  });
  // The game requested its frame first, so it is drawn by now.
  requestAnimationFrame(() => performance.mark("first-frame"));
  // Only on the title screen, so that a touch cannot leave the game by accident.
  const links = document.getElementById("links");
  (function show() {
    links.hidden = starship.mode() !== "title";
    const failure = starship.failure();
    if (failure) trouble.textContent = `The game has stopped: ${failure}`;
    else requestAnimationFrame(show);
  })();
} catch (error) {
  document.getElementById("trouble").textContent = `The game could not start: ${error}`;
  throw error;
}
