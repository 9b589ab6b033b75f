import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { itemOfForm } from './form-item.ts';
import { readPage } from './read-page.ts';

const effectOf = (html: string) => {
  const [form] = readPage(html, 'https://shop.test/teas').forms;
  assert.ok(form);
  return itemOfForm(form, null).effect;
};

describe('the effect of a posted form', () => {
  const reads = {
    'a button that says so': '<form method=post><input name=id><button>Search</button></form>',
    'a button in another language': '<form method=post><input name=wort><input type=submit value=Suchen></form>',
    'its heading': '<form method=post><h3>Find a shop</h3><input name=city><button>Go</button></form>',
    'the names of what one can type':
      '<form method=post><select name=kind><option></select><input name=search><button>Submit</button></form>',
    'the type of its field': '<form method=post><input type=search name=x><button>Go</button></form>',
  };
  for (const [told, html] of Object.entries(reads)) {
    it(`is none where ${told} tells of a search`, () => assert.equal(effectOf(html), 'reads'));
  }

  const choice = '<select name=filename><option value=texts/intro.txt>Intro<option value=texts/end.txt>End</select>';
  it('is none where it only lets one choose a file', () => {
    assert.equal(effectOf(`<form method=post action=/home>${choice}<button>Submit</button></form>`), 'reads');
  });

  const changes = {
    'a text is stored in the chosen file': `<form method=post>${choice}<input name=text><button>Submit</button></form>`,
    'the chosen file is restored': `<form method=post>${choice}<button>Restore</button></form>`,
    'the chosen file is edited': `<form method=post action=/file/edit>${choice}<button>Submit</button></form>`,
    'something else is chosen':
      '<form method=post><select name=colour><option value=red>Red</select><button>Submit</button></form>',
    'a search is saved': '<form method=post><input name=query><button>Save search</button></form>',
    'more than the search is typed':
      '<form method=post><input name=search><input name=comment><button>Go</button></form>',
    'a text is sent along': '<form method=post><textarea name=search></textarea><button>Search</button></form>',
    'a file is searched': '<form method=post><input type=file name=picture><button>Find similar</button></form>',
    'nothing tells of a search': '<form method=post><input name=name><button>Submit</button></form>',
  };
  for (const [why, html] of Object.entries(changes)) {
    it(`is a change where ${why}`, () => assert.equal(effectOf(html), 'changes'));
  }

  it('stays dangerous where the words say so', () => {
    assert.equal(
      effectOf('<form method=post action=/delete><input name=q><button>Search</button></form>'),
      'endangers',
    );
  });
});
