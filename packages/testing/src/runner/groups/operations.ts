/** Runs the test files of runs and operations. */
import { describeFiles } from '../describe-files.ts';
import { findTestFiles, root } from '../test-files.ts';

describeFiles(findTestFiles(root).operations);
