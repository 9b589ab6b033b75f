import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { destinationPages } from './destination-pages.ts';

const written = (...objects: string[]) =>
  Buffer.from(`%PDF-1.4\n${objects.map((content, index) => `${index + 1} 0 obj\n${content}\nendobj\n`).join('')}`);

describe('the pages that links lead to', () => {
  it('are counted in the order of the document, over all levels of its tree', () => {
    const pdf = written(
      '<</Type /Page\n/Parent 4 0 R>>',
      '<</Type /Page\n/Parent 5 0 R>>',
      '<</Type /Page\n/Parent 4 0 R>>',
      '<</Type /Pages\n/Count 2\n/Kids [3 0 R 1 0 R]>>',
      '<</Type /Pages\n/Count 3\n/Kids [4 0 R 2 0 R]>>',
      '<</summary [3 0 R /XYZ 0 841.9 0]\n/finding-1 [1 0 R /XYZ 0 1 0]\n/appendix [2 0 R /XYZ 0 1 0]\n/lost [9 0 R /XYZ]>>',
      '<</Type /Catalog\n/Pages 5 0 R\n/Dests 6 0 R>>',
    );
    assert.deepEqual(
      [...destinationPages(pdf)],
      [
        ['summary', 1],
        ['finding-1', 2],
        ['appendix', 3],
      ],
    );
  });

  it('are none of a document that is written differently', () => {
    assert.equal(destinationPages(Buffer.from('%PDF-1.7\n1 0 obj\n<</Type /ObjStm>> stream\n')).size, 0);
  });
});
