// How is a name compared? As DNS does it: without its case, and without the dot at its end.

export const nameText = (name: string): string => name.toLowerCase().replace(/\.$/, '')
