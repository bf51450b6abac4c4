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
  let troubles = 0;
  addEventListener("dragover", (event) => event.preventDefault());
  addEventListener("drop", async (event) => {
    event.preventDefault();
    const file = event.dataTransfer?.files[0];
    if (!file) return;
    try {
      starship.watch(new Uint8Array(await file.arrayBuffer()));
      trouble.textContent = "";
    } catch (error) {
      await document.exitFullscreen?.().catch(() => {});
      trouble.textContent = `${file.name}: ${error}`;
      const number = ++troubles;
      setTimeout(() => { if (number === troubles) trouble.textContent = ""; }, 10_000);
    }
  });
  // The game requested its frame first, so it is drawn by now.
  requestAnimationFrame(() => performance.mark("first-frame"));
  // Only on the title screen, so that a touch cannot leave the game by accident.
  const links = document.getElementById("links");
  // Words behind a full screen, or without a mouse, help nobody.
  const stopped = (why) => {
    troubles++;
    trouble.textContent = `The game has stopped: ${why}`;
    links.hidden = false;
    document.getElementById("game").style.cursor = "";
    document.exitFullscreen?.().catch(() => {});
  };
  (function show() {
    try {
      links.hidden = starship.mode() !== "title";
      const failure = starship.failure();
      if (failure) return stopped(failure);
    } catch (error) {
      return stopped(error);
    }
    requestAnimationFrame(show);
  })();
} catch (error) {
  document.getElementById("trouble").textContent = `The game could not start: ${error}`;
  throw error;
}
