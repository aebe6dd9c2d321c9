export function isNodeNewEnough(version: string, oldest?: [major: number, minor: number]): boolean;
export function needsInstall(root: string): boolean;
export function markInstalled(root: string): void;
export function installAdvice(output: string): string;
