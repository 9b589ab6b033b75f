/** Levels of a pentest, cheapest first. */
export const depths = ['LEAD', 'STANDARD', 'DEEP', 'EXTENDED', 'MAXIMUM'] as const;
export type Depth = (typeof depths)[number];

/** Levels that can be started through the API. */
export const apiDepths = ['LEAD', 'STANDARD', 'DEEP'] as const satisfies Depth[];
