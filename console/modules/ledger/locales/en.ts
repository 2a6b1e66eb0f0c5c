/** Texts of the ledger page, English. */
export default {
  title: 'Ledger',
  about:
    'Every unit of quota stands in a double-entry book: nothing in it ever changes, and what somebody spends appears elsewhere as income.',
  requestId: 'Request id',
  blocked:
    'The account of {names} does not add up and is blocked until it does. Look below at what is broken. | {count} accounts do not add up and are blocked until they do: {names}. Look below at what is broken.',
  tiles: {
    balance: 'To spend',
    accounts: 'in no account | in one account | in {count} accounts',
    held: 'Set aside',
    heldAbout: 'by requests under way',
    holds: 'Open holds',
    oldest: 'the oldest for {age}',
    noHolds: 'nothing is under way',
    debt: 'Debt',
    debtAbout: 'nobody is below zero | one account is below zero | {count} accounts are below zero',
  },
  check: {
    title: 'Consistency checks',
    about:
      'Rules that hold at every moment. What is new is checked every hour, the whole book once a day. An account that breaks a rule is blocked.',
    now: 'Check now',
    wait: 'Again in {seconds} s',
    breachesOrMore: '{count} breaches or more',
    breaches: 'All rules hold | One breach | {count} breaches',
    last: 'checked {ago}, took {lasting}',
    whole: 'whole book, {count} request | whole book, {count} requests',
    fresh: '{count} new request; whole book {ago} | {count} new requests; whole book {ago}',
    failed: 'The last check failed {ago}, so the current state of the ledger is unknown: {reason}',
    none: 'Not checked yet',
    noneNext: 'The first check comes within the hour. You can run it now.',
    noneWait: 'The first check comes within the hour. Root can run it at once.',
    holds: 'Passed.',
    broken: 'Failed.',
    more: 'and more',
  },
  invariants: {
    I1: {
      name: 'Balances follow transfers',
      rule: 'What an account shows is the sum of what was credited to it, less what was debited.',
    },
    I2: {
      name: 'Holds follow open requests',
      rule: 'What an account or a token has set aside is the sum over its open requests.',
    },
    I3: {
      name: 'The whole book is in balance',
      rule: 'All accounts together, those of the gateway included, stand at zero.',
    },
    I4: {
      name: 'Each charge has one transfer',
      rule: 'A settled request has exactly one transfer, of the same amount from the same account.',
    },
    I5: {
      name: 'The usage log states what was charged',
      rule: 'Rows of the log add up to what each request cost.',
    },
    I6: {
      name: 'Tokens count what they used',
      rule: 'What a token used is the sum over its requests.',
    },
    I7: {
      name: 'No hold outlives its owner',
      rule: 'No request stays open once the process that served it is gone.',
    },
    I12: {
      name: 'Every hold is worked on',
      rule: 'No request stays open that its own process, though alive, has stopped working on.',
    },
    I9: {
      name: 'Tasks and their money agree',
      rule: 'A task that has ended has nothing set aside and cost what was charged and corrected; no task has money set aside without a row.',
    },
    I10: {
      name: 'Debt has a reason',
      rule: 'No account stands below its floor without a shortfall, a correction or an entry of an administrator.',
    },
    I11: {
      name: 'Rewards follow invitations',
      rule: 'Rewards a user has left are those of their invitations, less those moved to the wallet.',
    },
  },
  holds: {
    title: 'Open holds',
    about: 'What requests under way have set aside, oldest first.',
    age: 'Age',
    state: 'State',
    user: 'User',
    request: 'Request',
    held: 'Set aside',
    used: 'Used so far',
    states: { reserved: 'Under way', orphaned: 'Process is gone' },
    empty: 'No open holds',
    emptyNext:
      'Nothing is set aside: no request that costs money is under way. This list follows by itself.',
  },
  accounts: {
    title: 'Where the money is',
    about: 'Every credit is a debit elsewhere, so all accounts together are always zero.',
    people: 'Accounts of users',
    revenue: 'Revenue',
    adjustment: 'Adjustments',
    promo: 'Gifts',
    clearing: 'Payments',
    sum: 'Together',
    broken: 'The book does not add up: this must be zero.',
  },
  accountsAbout: {
    people: 'to spend, and what is set aside',
    revenue: 'charged for requests',
    adjustment: 'added or taken by administrators',
    promo: 'invitations, codes and other presents',
    clearing: 'paid in from outside',
  },
  explained: {
    title: 'What is a hold?',
    about: 'How a request can never spend more than there is.',
    opened: {
      name: 'Set aside',
      text: 'Before the upstream is called, the most the request is likely to cost is set aside. Who has less is refused, and nothing is sent.',
    },
    extended: {
      name: 'Extended',
      text: 'While a response grows past what was set aside, more is added step by step. If the balance runs out, the response is cut off.',
    },
    closed: {
      name: 'Closed',
      text: 'When the response ends, the usage is charged in one entry and the rest is released at the same time.',
    },
    orphaned: {
      name: 'Left behind',
      text: 'If a process dies, others close its holds after some 30 seconds at what is known to be delivered. Holds that outlast any normal response are worth a look.',
    },
  },
  entries: {
    title: 'The book',
    about: 'Every movement, newest first. Choose a request to read what became of its money.',
    user: 'User',
    time: 'Time',
    happened: 'What happened',
    request: 'Request',
    amount: 'Amount',
    account: 'account {id}',
    showRequest: 'Show the entries of {id}',
    empty: 'The book is empty',
    emptyNext: 'The first top-up, gift or charged request writes the first entry.',
    moved: '{amount} went from {from} to {to}.',
    stories: {
      settle: {
        gain: '{name} got {amount} back for a request.',
        loss: '{name} paid {amount} for a request.',
      },
      corr: {
        gain: '{name} got {amount} back: a request had been closed too high.',
        loss: '{name} paid {amount} more: a request had been closed too low.',
      },
      task_final: {
        gain: '{name} got {amount} back when a task had ended.',
        loss: '{name} paid {amount} more when a task had ended.',
      },
      admin: {
        gain: 'An administrator gave {name} {amount}.',
        loss: 'An administrator took {amount} from {name}.',
      },
      topup: {
        gain: '{name} topped up {amount}.',
        loss: 'A top-up of {amount} was taken back from {name}.',
      },
      grant: { gain: '{name} was granted {amount}.', loss: 'A grant of {amount} of {name} ended.' },
      invite: {
        gain: '{name} got {amount} for an invitation.',
        loss: '{amount} for an invitation was taken back from {name}.',
      },
      redeem: {
        gain: '{name} redeemed a code worth {amount}.',
        loss: 'A code worth {amount} was taken back from {name}.',
      },
      chargeback: {
        gain: 'A chargeback of {amount} was undone for {name}.',
        loss: 'A payment of {amount} by {name} was charged back.',
      },
    },
  },
  story: {
    title: 'What happened to the money of this request',
    cost: 'In all it cost {cost}.',
    toLog: 'How the price came about',
  },
}
