export const MAX_BODY_BYTES = 256 * 1024;
