export const environments = ['live', 'test'] as const;
export type Environment = (typeof environments)[number];
