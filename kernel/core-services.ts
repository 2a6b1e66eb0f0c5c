/** Services without which no request can be relayed and charged: where one has failed, the gateway does not run. */
export const coreServices = [
  ...['identity', 'ledger', 'pricing', 'channels', 'routing', 'options'],
  ...['rate-limits', 'audit'],
] as const
