import start from "./game.js";

try {
  await start();
} catch (error) {
  const trouble = document.getElementById("trouble");
  trouble.textContent = `The game could not start: ${error.message ?? error}`;
  trouble.hidden = false;
  throw error;
}
