export function isNodeNewEnough(version: string): boolean;
export function needsInstall(root: string): boolean;
export function markInstalled(root: string): void;
export function installAdvice(output: string): string;
