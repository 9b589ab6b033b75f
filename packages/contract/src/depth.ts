export const depths = ['LEAD', 'STANDARD', 'DEEP', 'EXTENDED', 'MAXIMUM'] as const;
export type Depth = (typeof depths)[number];

export const apiDepths = ['LEAD', 'STANDARD', 'DEEP'] as const satisfies Depth[];
