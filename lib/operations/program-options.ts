/** The options that every program has. */
interface CommonOptions {
  help: boolean;
}

/**
 * Reads a program's options. Explains why they can't be read, or prints the help that they ask for.
 * @param help how the program is used
 * @param warn where mistakes go; by default, where everything goes
 * @returns the options, or the code to exit with instead of running
 */
export function readOptionsOrExplain<Options extends CommonOptions>(
  read: () => Options,
  help: string,
  { print, warn = print }: { print(text: string): void; warn?(text: string): void },
): Options | 0 | 2 {
  try {
    const options = read();
    if (!options.help) return options;
    print(help);
    return 0;
  } catch (error) {
    warn(`${error instanceof Error ? error.message : error}\n\n${help}`);
    return 2;
  }
}
