/** Texts of the wallet, English. */
export default {
  title: 'Wallet',
  about: 'What you can spend, how to get more, and what you bought.',
  parts: { credit: 'Credit', orders: 'Orders' },
  balance: 'Balance',
  used: 'Spent so far',
  buy: 'Add credit',
  buyAbout: 'One unit of credit is {unit}.',
  nothing: 'Credit cannot be bought here',
  nothingNext: 'No way to pay is switched on. Ask the operator of this gateway for credit.',
  test: 'Test mode',
  testAbout: 'No real money moves here. Orders of this way to pay are marked as tests.',
  testShort: 'test',
  gateway: 'Paid by',
  method: 'Way to pay',
  product: 'Product',
  presets: 'Usual amounts',
  off: '{percent}% off',
  bonus: '{amount} extra',
  amount: 'Units of credit',
  amountHelp: 'A whole number from {least} to {most}.',
  pay: 'Pay {price}',
  payNothing: 'Pay',
  consent: 'Allow later payments by {gateway}',
  consentAbout:
    '{gateway} keeps your way to pay, so that automatic top-up can charge it while you are away. Nothing is charged until you set up automatic top-up and its monthly limit below, and you can take this back there at any time.',
  consentAgain:
    'You have allowed this since {day}. Allow it again only to be charged by the way to pay of this purchase from now on.',
  credited: 'The credit is added as soon as the provider reports the payment.',
  toPay: 'Pay {price}',
  scan: 'Scan this code with the app you pay with.',
  code: 'Code to be scanned',
  goOn: 'I have paid',
  redeem: 'Redeem a code',
  redemptionCode: 'Code',
  redeemNow: 'Redeem',
  noCode: 'Enter a code.',
  redeemed: '{amount} of credit was added to your balance.',
  invitations: 'Invitations',
  invitationsAbout:
    'What your invitations bring, and the link for them, are on a page of their own.',
  rewards: '{amount} of rewards can be moved into your balance.',
  toInvitations: 'To your invitations',
  auto: {
    title: 'Automatic top-up',
    heads: { on: 'On', charging: 'Payment under way', paused: 'Paused', off: 'Off' },
    sentences: {
      begin:
        'When your balance falls below an amount you set, credit is bought by itself, within a limit for each month. First buy credit once by {gateways} and check the box that allows later payments.',
      ready:
        'You have allowed later payments. Set when credit is bought and how much at most in a month; nothing is charged before that.',
      off: 'Your balance is not topped up. What you set is kept for the next time.',
      noneOffered: 'Automatic top-up is not offered here any more. Nothing is charged.',
      offRefused:
        'Your balance is not topped up. The last payment was refused: {words} Three refusals in a row switch it off. Change how you pay, then switch it on again.',
      charging:
        'A payment by {gateway} is under way. The credit is added as soon as the payment is reported.',
      not_offered: 'Automatic top-up is not offered at the moment. Nothing is charged until it is.',
      mandate_ended:
        '{gateway} may not charge you any more. To go on, buy credit once and check the box that allows later payments.',
      gateway_off: '{gateway} is switched off here. Nothing is charged until it is back.',
      wrong_mode:
        'You allowed payments by {gateway} in another mode: test payments and real ones are kept apart. To go on, buy credit once more and allow later payments.',
      wrong_amount: 'The amount you set cannot be bought any more. {words}',
      cap_reached:
        'The limit of this month leaves no room for another payment. It goes on at {moment}.',
      cap_own:
        'Your limit of this month leaves no room for another payment. It goes on at {moment}, or once you raise the limit.',
      cap_lowered:
        'One payment is more than may be bought in a month by now, which is {most}. Set a smaller amount to go on.',
      refused: 'The last payment was refused: {words} It is tried again at {moment}.',
    },
    terms:
      'When the balance falls below {below}, {amount} of credit is bought, at most {cap} in a month.',
    priceNow: 'One payment is {price} at this time.',
    month: 'Bought this month',
    monthAbout: 'Since the first of the month (UTC), payments under way included.',
    mandates: 'Later payments you allowed',
    mandate: 'You have allowed {gateway} to charge you since {day}.',
    portal: 'Way to pay at {gateway}',
    setUp: 'Set up',
    switchOn: 'Switch on',
    switchOff: 'Switch off',
    change: 'Change',
    setUpTitle: 'Set up automatic top-up',
    changeTitle: 'Change automatic top-up',
    begun: 'Automatic top-up is on.',
    below: 'When the balance falls below',
    belowHelp: 'What is held for requests under way counts as spent.',
    amount: 'Units of credit to buy each time',
    isCredit: 'That is {amount} of credit.',
    cap: 'Most units in a month',
    capHelp:
      'That is {amount} of credit in each calendar month (UTC). You can set up to {most} units.',
    noUnits: 'Enter a whole number of units.',
    endTitle: 'Switch automatic top-up off?',
    endText:
      'Nothing more is bought by itself. What you set and allowed is kept, so that you can switch it on again.',
    ended: 'Automatic top-up is off.',
    forget: 'Forget permission',
    forgetTitle: 'Forget what you allowed?',
    forgetText:
      'Automatic top-up ends, its settings are deleted, and this gateway forgets what it could charge you by. To begin again you have to buy credit once and allow later payments. The provider may keep your way to pay until you remove it there.',
    forgetCharging:
      'Automatic top-up ends, its settings are deleted, and this gateway forgets what it could charge you by. The payment that is under way may still go through; its credit is added then. To begin again you have to buy credit once and allow later payments. The provider may keep your way to pay until you remove it there.',
    forgotten: 'What you allowed was forgotten.',
  },
  billing: {
    title: 'Billing details',
    about:
      'Receipts are made out to these details from now on. Receipts that were issued already keep the details they have.',
    name: 'Name or company',
    nameHelp: 'Left empty, receipts are made out to {name}.',
    address: 'Address',
    addressHelp: 'Up to 8 lines of 100 characters.',
    taxId: 'Tax number',
    taxIdHelp: 'Shown on receipts as you enter it, such as a VAT number.',
  },
  orders: 'Orders',
  noOrders: 'No orders yet',
  noOrdersNext: 'What you buy stands here with its state.',
  created: 'Ordered',
  status: 'State',
  anyState: 'Any state',
  states: {
    pending: 'Waiting',
    success: 'Paid',
    failed: 'Failed',
    expired: 'Expired',
    refunded: 'Refunded',
  },
  price: 'Price',
  bought: 'Bought',
  creditOf: '{amount} of credit',
  creditAutomatic: '{amount} of credit, automatic',
  repeated: '{title}, repeating',
  toSubscriptions: 'To plans and subscriptions',
  planBegun: 'Your subscription has begun',
  orderNo: 'Order number',
  stateTitle: {
    pending: 'Waiting for the payment',
    success: 'Paid',
    failed: 'The payment failed',
    expired: 'The order has expired',
    refunded: 'The order was refunded',
    unknown: 'Order not found',
  },
  state: {
    pending:
      'The provider has not reported the payment of {price} yet. This page looks again by itself.',
    left: 'You left the page of the provider before paying {price}. If you paid all the same, this page shows it once it is reported.',
    success: '{amount} of credit was added to your balance.',
    failed:
      'The provider reported that the payment of {price} did not go through. Nothing was credited.',
    expired:
      'The order for {price} was not paid in time. If you paid it later, it is credited as soon as that is reported.',
    refunded: '{price} went back to you, and the credit was taken back.',
    unknown: 'There is no order of yours with this number.',
  },
  planState: {
    pending:
      'The provider has not reported the payment of {price} for {title} yet. Your subscription begins once it does. This page looks again by itself.',
    left: 'You left the page of the provider before paying {price} for {title}. If you paid all the same, your subscription begins once that is reported.',
    success: '{title} is paid, and requests can use it now.',
    failed:
      'The provider reported that the payment of {price} for {title} did not go through. Your subscription has not begun.',
    expired:
      'The order of {title} for {price} was not paid in time. If you paid it later, your subscription begins as soon as that is reported.',
    refunded: '{price} for {title} went back to you. Your subscriptions show what you have now.',
  },
}
