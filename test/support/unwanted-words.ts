/** Vague words, and metaphors where the field has a term: texts for customers must not contain them. */
export const UNWANTED = [
  /\bwhoever\b/i,
  /\b(some|any|every)body\b/i,
  /\bagain and again\b/i,
  /\bunless (it is )?told\b/i,
  /\bwhat is\b[^.]{0,60}\bis\b/i,
  /\bin vain\b/i,
  /\b(slips?|slipped) in(to)?\b/i,
  /\bon the way\b/i,
  /\b(get|gets|getting|got) round\b/i,
  /\bfor ever\b/i,
  /\bplain http\b/,
  /\bimpostors?\b/i,
  /\bvouch(es)?\b/i,
];
