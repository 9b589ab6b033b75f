/** Runs the test files that open connections but start no process. */
import { describeFiles } from '../describe-files.ts';
import { findTestFiles, root } from '../test-files.ts';

describeFiles(findTestFiles(root).connected);
