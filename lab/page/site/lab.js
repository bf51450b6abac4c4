// Starts the lab on its page.
import init, * as lab from "./lab_page.js";

try {
  await init();
  globalThis.lab = lab;
  globalThis.pacingLab = new lab.PacingLab();
} catch (error) {
  document.getElementById("trouble-page").textContent = `The lab could not start: ${error}`;
  throw error;
}
