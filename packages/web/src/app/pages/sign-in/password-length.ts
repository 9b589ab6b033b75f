/** The shortest password that the service accepts. */
export const MIN_PASSWORD_LENGTH = 10;
