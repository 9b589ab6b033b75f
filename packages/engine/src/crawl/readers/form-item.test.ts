import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { itemOfForm, loginOf } from './form-item.ts';
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
    'a button about something that one could store':
      '<h2>Find a store</h2><form method=post><input name=title><button>Search for a book</button></form>',
    'the name of its field, and a picture is its button,':
      '<form method=post class=top><input name=searchTerm><button><i></i></button></form>',
  };
  for (const [told, html] of Object.entries(reads)) {
    it(`is none where ${told} tells of a search`, () => assert.equal(effectOf(html), 'reads'));
  }

  const choice = '<select name=filename><option value=texts/intro.txt>Intro<option value=texts/end.txt>End</select>';
  it('is none where it only lets one choose a file', () => {
    for (const label of ['Submit', 'Submit button', 'Submit form'])
      assert.equal(effectOf(`<form method=post action=/home>${choice}<button>${label}</button></form>`), 'reads');
  });

  const changes = {
    'a text is stored in the chosen file': `<form method=post>${choice}<input name=text><button>Submit</button></form>`,
    'the chosen file is restored': `<form method=post>${choice}<button>Restore</button></form>`,
    'the chosen file is edited': `<form method=post action=/file/edit>${choice}<button>Submit</button></form>`,
    'something else is chosen':
      '<form method=post><select name=colour><option value=red>Red</select><button>Submit</button></form>',
    'a number is chosen':
      '<form method=post><select name=price><option value=9.99>9.99</select><button>Submit</button></form>',
    'a version is chosen': '<form method=post><select name=v><option value=v1.2>1.2</select><button>Go</button></form>',
    'a domain is chosen':
      '<form method=post><select name=d><option value=shop.com>shop.com</select><button>Go</button></form>',
    'a style sheet is chosen':
      '<form method=post><select name=theme><option value=dark.css>Dark</select><button>Submit</button></form>',
    'a picture is chosen':
      '<form method=post><select name=p><option value=a.png>A<option value=b.jpg>B</select><button>Go</button></form>',
    'the path tells of a vote': `<form method=post action=/poll/vote>${choice}<button>Submit</button></form>`,
    'the name of the form tells of a background': `<form method=post id=background>${choice}<button>OK</button></form>`,
    'the heading asks for a favourite': `<h2>Pick your favorite</h2><form method=post>${choice}<button>Go</button></form>`,
    'the path says that the file is used': `<form method=post action=/use>${choice}<button>Submit</button></form>`,
    'the button says that a file is used': `<form method=post>${choice}<button>Make default</button></form>`,
    'the button blocks the word':
      '<h2>Blocked words</h2><form method=post><input name=term><button>Block</button></form>',
    'the heading names a list of words':
      '<h2>Blocked words</h2><form method=post><input name=term><button>Submit</button></form>',
    'the field only begins like a search': '<form method=post><input name=findings><button>Submit</button></form>',
    'the field only contains a search': '<form method=post><input name=research><button>Submit</button></form>',
    'the heading tells of a place':
      '<h2>Find us</h2><form method=post><input name=name><input name=message><button>Submit</button></form>',
    'a search is created': '<form method=post><input name=q><button>Suchauftrag anlegen</button></form>',
    'the path says that a search is saved':
      '<form method=post action=/save-search><input name=q><button>Search</button></form>',
    'the heading says that something is added':
      '<h2>Add a filter</h2><form method=post><input name=query><button>Submit</button></form>',
    'the button does something with the field': '<form method=post><input name=keyword><button>Turn on</button></form>',
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

describe('a form with a name and a password', () => {
  const loginIn = (action: string, button: string) => {
    const fields = '<input name=name><input type=password name=password>';
    const html = `<form method=post action=${action}>${fields}<button>${button}</button></form>`;
    const [form] = readPage(html, 'https://shop.test/').forms;
    assert.ok(form);
    return loginOf(form, 'alice')?.effect;
  };

  for (const [action, button] of [
    ['/admin/adduser', 'Add user'],
    ['/admin/users', 'New user'],
    ['/admin/addUser', 'OK'],
    ['/admin/users', 'Add'],
    ['/admin/users', 'Invite'],
    ['/admin/users', 'Añadir usuario'],
    ['/admin/users', 'Benutzer hinzufügen'],
    ['/admin/users', 'Ajouter un utilisateur'],
  ] as const) {
    it(`is no login: ${action}, ${button}`, () => assert.equal(loginIn(action, button), undefined));
  }

  it('is a login elsewhere', () => assert.equal(loginIn('/address/login', 'Submit'), 'logsIn'));
});

function formIn(html: string) {
  const [form] = readPage(html, 'http://shop.test/articles/my-slug').forms;
  assert.ok(form);
  return itemOfForm(form, 'alice');
}

describe('a form that comes with values', () => {
  const filled = '<input name="title" value="Green tea"><textarea name="text">Steep it.</textarea>';

  it('edits what it shows if its button says so', () => {
    assert.equal(formIn(`<form method="post">${filled}<button>Update</button></form>`).edits, true);
    assert.equal(formIn(`<form method="post"><h2>Edit article</h2>${filled}<button>OK</button></form>`).edits, true);
  });

  it('creates something if it says nothing of the kind, or has an empty ID', () => {
    assert.equal(formIn(`<form method="post">${filled}<button>Write</button></form>`).edits, undefined);
    assert.equal(formIn('<form method="post"><input name="title"><button>Update</button></form>').edits, undefined);
    const empty = '<input type="hidden" name="id">';
    assert.equal(formIn(`<form method="post">${empty}${filled}<button>Update</button></form>`).edits, undefined);
  });
});

describe('the request of a form', () => {
  const sentBy = (fields: string) => {
    const [form] = readPage(`<form method=post>${fields}</form>`, 'https://shop.test/teas').forms;
    assert.ok(form);
    return itemOfForm(form, null).parameters.map(({ name, value }) => `${name}=${value}`);
  };
  const box = (value: string, more = '') => `<input type=checkbox name=kind value=${value} ${more}>`;

  it('has the checked ones of several boxes with one name, or the first of all', () => {
    assert.deepEqual(sentBy(box('green') + box('black', 'checked') + box('white')), ['kind=black']);
    assert.deepEqual(sentBy(box('green') + box('black')), ['kind=green']);
    assert.deepEqual(sentBy(`${box('green')}<input type=checkbox name=gift>`), ['kind=green', 'gift=on']);
    assert.deepEqual(sentBy(box('green', 'checked') + box('black', 'checked')), ['kind=green', 'kind=black']);
  });
});
