import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { itemOfForm, loginOf } from './form-item.ts';
import { readPage } from './read-page.ts';

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
