/** What tests across packages use of the inside of packages/cli; everything else they see from outside. */
export { thingsToTry } from '../../../cli/src/things-to-try.ts';
