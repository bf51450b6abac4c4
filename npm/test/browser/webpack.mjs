// Runs webpack through its API, which needs no further package.
import { pathToFileURL } from "node:url";
import webpack from "webpack";

const { default: config } = await import(pathToFileURL(process.argv[2]));
webpack(config, (error, stats) => {
  if (error || stats.hasErrors()) {
    console.error(error ?? stats.toString("errors-only"));
    process.exitCode = 1;
  }
});
