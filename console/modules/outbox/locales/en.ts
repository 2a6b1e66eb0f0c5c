/** Texts of the outbox, English. */
export default {
  title: 'Outbox',
  about:
    'Notices and mails to users. A failed try is repeated with growing pauses, six times in all.',
  empty: 'Nothing was sent yet',
  emptyNext:
    'Warnings of low balances, mails with codes and tests of channels show up here. Mails need a mail server.',
  toOptions: 'Mail and notices',
  id: 'No.',
  type: 'Kind',
  to: 'To',
  address: 'An address',
  user: 'User {id}',
  state: 'State',
  states: { waiting: 'Waiting', delivered: 'Delivered', failed: 'Failed' },
  attempts: 'Tries',
  reason: 'Reason',
  created: 'Written',
  next: 'Next try, or end',
  nextTry: 'Next {time}',
  actions: 'Actions',
  retry: 'Try again',
  retryOne: 'Try again: notice {id}',
  retried: 'It is on its way once more.',
}
