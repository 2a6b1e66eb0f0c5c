/** Texts of the audit log, English. */
export default {
  title: 'Audit log',
  about:
    'What was changed, by whom and from where. Entries are chained by hashes and never edited.',
  empty: 'Nothing yet',
  emptyNext: 'Every change an administrator makes is recorded here.',
  time: 'Time',
  actor: 'By',
  action: 'Action',
  object: 'Object',
  detail: 'Detail',
  ip: 'Address',
  id: 'Entry',
  actorId: 'User number',
  role: 'Role then',
  roles: { 0: 'Nobody signed in', 1: 'User', 10: 'Admin', 100: 'Root' },
  via: 'Signed in by',
  request: 'Request',
  before: 'Hash of the state before',
  after: 'Hash of the state after',
  hash: 'Hash of this entry',
  filters: {
    actor: 'Name or number',
    action: 'Action, or its beginning',
    object: 'Object, as user 3',
    channel: 'Channel',
    request_id: 'Request id',
  },
  export: {
    title: 'Export CSV',
    running: 'Reading entries for the file',
    done: 'No entry was exported. | One entry was exported. | {count} entries were exported.',
    bounded: 'The file holds the newest {count} entries. Narrow the time for the rest.',
  },
  verify: {
    title: 'Verify integrity',
    about:
      'Each entry holds the keyed hash of the one before, that of another day included. Verifying a day finds the first entry that was changed, and compares the hashes that are kept outside the database.',
    day: 'Day in UTC',
    run: 'Verify the day',
    intact:
      '{day}: the chain holds; {rows} entry checked. | {day}: the chain holds; {rows} entries checked.',
    link: '{day}: entry {id} does not follow the one before it. An entry was removed or inserted.',
    content: '{day}: entry {id} is not what was written.',
    missing:
      '{day}: entry {id}, whose hash was kept outside the database, is not there or is another one.',
  },
}
