export default {
  title: 'Set up this gateway',
  already: 'This gateway is set up',
  alreadyNext: 'It has a root account already. Sign in with it, or with an account of your own.',
  next: 'Next',
  back: 'Back',
  finish: 'Set up',
  database: {
    title: 'Database',
    pglite: {
      name: 'Embedded database (PGlite)',
      about:
        'Ready. It runs inside the gateway and keeps its files in the data folder; nothing needs to be installed.',
      next: 'It serves one process and survives a crash of the gateway, but not of the machine. For money that matters, stop here, start the gateway with DATABASE_URL set to a PostgreSQL server, and open this page again.',
    },
    postgres: {
      name: 'PostgreSQL',
      about: 'Ready. The gateway is connected and its tables are there.',
      next: 'Several gateways may share this database.',
    },
  },
  account: {
    title: 'Root account',
    about:
      'The root account may do everything: it makes other administrators and sees every setting.',
    name: 'User name',
    nameMissing: 'Choose a user name.',
    password: 'Password',
    short: 'At least {min} characters.',
    long: 'At most 128 characters.',
    confirm: 'Password again',
    differs: 'The two passwords differ.',
    code: 'Setup code',
    codeHelp:
      'The gateway printed it when it started, as ABCD-EFGH-JKMN, and a link that holds it.',
  },
  usage: {
    title: 'Use',
    customers: {
      name: 'For several people',
      about: 'Users sign up or are added, each with balance, groups and prices.',
    },
    own: { name: 'For myself', about: 'What concerns customers is left out of the console.' },
    demo: { name: 'A demo site', about: 'The console shows that this is a demo site.' },
    balance: 'Your first balance',
    balanceHelp:
      'Requests are paid from a balance, your own as well. It is entered in the book once; you can add more under Users.',
    opens: 'Anyone may sign up',
    opensHelp:
      'Whoever reaches this gateway may make an account, with an empty balance. Off: you add people.',
    private: 'Channels may point to private addresses',
    privateHelp:
      'Needed for models on this machine or in your network. Off: only public addresses are called.',
    later: 'You can change this in the settings at any time.',
  },
  done: {
    title: 'The gateway is ready',
    about: 'You are signed in. These steps lead to your first response from a model:',
    signIn:
      'The account is made. Sign in, and these steps lead to your first response from a model:',
    channel: {
      name: 'Create a channel',
      about: 'The key of a provider, and the models it serves.',
    },
    price: {
      name: 'Price its models',
      about: 'Many are priced already. A model without a price cannot be called.',
    },
    balance: {
      name: 'Give yourself a balance',
      about: 'Requests are paid from it, and a new account has none.',
    },
    token: {
      name: 'Create an API key',
      about: 'Your programs send it. It can have limits of its own.',
    },
    request: {
      name: 'Send the first request',
      about: 'In the Playground, or with the SDK you use.',
    },
    console: 'Open the console',
  },
}
