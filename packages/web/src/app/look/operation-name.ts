/** `HOLD` becomes "Hold": operations on credits are words on screen. */
export const operationName = (type: string): string => type.charAt(0) + type.slice(1).toLowerCase();
