export function prunePackages(modules: string): string[];
