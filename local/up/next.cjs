/**
 * Runs the command line of the Next in the working directory. Node 20.9 can't run that program itself with `--import`,
 * because its name has no extension.
 */
require(require.resolve('next/dist/bin/next', { paths: [process.cwd()] }));
