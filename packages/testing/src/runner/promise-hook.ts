import { createHook } from 'node:async_hooks';

type Hook = ReturnType<typeof createHook>;

let ofTestRunner: Hook | undefined;

/**
 * Starts the test runner of this process, and keeps its hook on every promise. It finds the suite that a test is defined
 * in, and the test that an uncaught error belongs to.
 */
export function keepPromiseHook(start: () => void): void {
  const hooks: Hook = Object.getPrototypeOf(createHook({}));
  const { enable } = hooks;
  hooks.enable = function keep(this: Hook) {
    ofTestRunner = this;
    return enable.call(this);
  };
  start();
  hooks.enable = enable;
}

/**
 * Removes the hook when all tests are defined: it takes a fifth of the CPU time of tests that send many requests.
 * Uncaught errors then fail the process instead of a test, so they are printed.
 */
export function removePromiseHook(): void {
  ofTestRunner?.disable();
  for (const event of ['uncaughtException', 'unhandledRejection'] as const) {
    process.on(event, (error: unknown) => console.error('Not caught by any test:', error));
  }
}
