/** Runs the test files of operations, of the sandbox and of what belongs to no other part. */
import { describeFiles } from '../describe-files.ts';
import { findTestFiles, root } from '../test-files.ts';

describeFiles(findTestFiles(root).operations);
