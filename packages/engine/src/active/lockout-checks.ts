/**
 * Checks whose proof may make the target refuse logins for a while, also those of other names: runs and retests have
 * them after what needs logins.
 */
export const LOCKOUT_CHECKS: readonly string[] = ['missing-login-rate-limit'];
