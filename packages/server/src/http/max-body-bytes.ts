/** Twice the largest `apiDescription`, which escapes in JSON may double, and the test accounts. */
export const MAX_BODY_BYTES = 512 * 1024;
