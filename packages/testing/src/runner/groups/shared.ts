/** Runs the test files whose code stays inside their process. */
import { describeFiles } from '../describe-files.ts';
import { findTestFiles, root } from '../test-files.ts';

describeFiles(findTestFiles(root).shared);
