/** Runs the test files of the API on servers of their own. */
import { describeFiles } from '../describe-files.ts';
import { findTestFiles, root } from '../test-files.ts';

describeFiles(findTestFiles(root).api);
