export interface MailText {
  subject: string;
  text: string;
}

/** Returns the mail with a link to set a new password. */
export function resetText({ link, minutes }: { link: string; minutes: number }): MailText {
  return {
    subject: 'Set a new password for Sortie',
    text: paragraphs(
      'Someone requested a new password for this e-mail address. To set one, open this link:',
      link,
      `It works once, for ${minutes} minutes. All sessions end when the password is set.`,
      'If it was not you, ignore this mail: your password stays as it is.',
    ),
  };
}

interface InvitationFacts {
  account: string;
  invitedBy: string;
  role: string;
  link: string;
  expiresAt: Date;
}

/** Returns the mail that invites a person to an organization. */
export function invitationText({ account, invitedBy, role, link, expiresAt }: InvitationFacts): MailText {
  return {
    // Names are chosen by people, so that none is in the subject.
    subject: 'Invitation to an account on Sortie',
    text: paragraphs(
      `${plainName(invitedBy)} invites you to the account "${plainName(account)}" as ${role}. To join, open this link:`,
      link,
      `It works once, until ${expiresAt.toISOString().slice(0, 16).replace('T', ' ')} UTC, for this e-mail address.`,
      'If you do not know the sender, ignore this mail.',
    ),
  };
}

const paragraphs = (...texts: string[]) => `${texts.join('\n\n')}\n`;

const LONGEST_NAME = 60;

/** A name that mail programs do not turn into a link, and that adds no line. */
const plainName = (name: string) =>
  name
    .replace(/[\p{Cc}\p{Zl}\p{Zp}:/\\<>@"]+/gu, ' ')
    .replace(/\.(?=\S)/g, '. ')
    .slice(0, LONGEST_NAME)
    .trim();
