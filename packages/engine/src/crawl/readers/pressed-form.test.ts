import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { mayPress } from './pressed-form.ts';
import { readPage } from './read-page.ts';

/** Whether the button may be pressed whose words are `words`; those of the form are added as the browser does. */
function isPressed(html: string, words: string): boolean {
  const [form] = readPage(html, 'http://shop.test/page').forms;
  assert.ok(form);
  const action = /action="?([^\s">]+)/.exec(html)?.[1] ?? '';
  return mayPress([words, form.headings ?? '', action].join('\n'), form);
}
const button = '<input type=button value=Submit onclick="submitForm()">';
const submit = 'Submit\nbtn\nsubmitForm()';

describe('a button that only a script handles', () => {
  const pressed = {
    'a neutral one': [`<form action=/lab/17 method=post><input name=a>${button}</form>`, submit],
    'beside a value without an ID': [`<form action=/lab/17 method=post><input name=a value=x>${button}</form>`, submit],
    'a filter': [`<form><input name=column value=price><input type=button value=Filter></form>`, 'Filter\npress()'],
  };
  for (const [what, [html = '', words = '']] of Object.entries(pressed)) {
    it(`is pressed: ${what}`, () => assert.ok(isPressed(html, words)));
  }

  const avoided = {
    'one that saves by GET': [
      `<form><button type=button onclick="fetch('/do?f=12&s=2')">Save</button></form>`,
      "Save\nfetch('/do?f=12&s=2')",
    ],
    'one that approves': ['<form><button type=button>Approve</button></form>', 'Approve'],
    'one that votes': ['<form><button type=button>+1</button></form>', '+1\nvoteUp()'],
    'one that turns something on': ['<form><button type=button>Alerts</button></form>', 'Alerts\ntoggleAlerts()'],
    'one of an edit form': [
      `<form method=post action=/user><h2>Edit your profile</h2><input name=mail value=a@b.test>${button}</form>`,
      'OK\nthis.form.submit()',
    ],
    'one beside a button that updates': [
      '<form method=post action=/user><input name=mail value=a@b.test><button>Update</button><button type=button>More</button></form>',
      'More\nform.submit()',
    ],
    'one of a form with the ID of a thing and its values': [
      '<form method=post action=/user><input type=hidden name=id value=5><input name=mail value=a@b.test><button type=button>OK</button></form>',
      'OK\nform.submit()',
    ],
    'one of a form whose path edits': [`<form method=post action=/teas/edit>${button}</form>`, submit],
  };
  for (const [what, [html = '', words = '']] of Object.entries(avoided)) {
    it(`is not pressed: ${what}`, () => assert.ok(!isPressed(html, words)));
  }
});
