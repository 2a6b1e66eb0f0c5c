/**
 * Who makes the values of a type. What authors only get may gain members and lose none; what they only make may take
 * more and demand no more. A name that stands in neither list is held to both.
 */

/** Entries whose types are only given to authors. */
const givenEntries = new Set([
  'kernel/contract/line/index.d.ts',
  'kernel/contract/services/index.d.ts',
])

/** Types of them that authors write all the same. */
const madeOfThem = new Set(['Stage'])

/** Types of `waybill/contract` that authors are only given. */
const given = new Set([
  'AddressContext',
  'AuthorizationRequest',
  'AuthorizeContext',
  'ChannelView',
  'Clock',
  'FormatNames',
  'Forwarded',
  'GuardKit',
  'Inbound',
  'Kit',
  'Log',
  'Notice',
  'OAuthAnswer',
  'OperationNames',
  'OutgoingKit',
  'PluginState',
  'PluginStatus',
  'Principal',
  'PureKit',
  'Reader',
  'RequestHints',
  'SessionOptions',
  'Settings',
  'StageNames',
  'TaskContext',
])

/** Types of it that authors only make: what `create` returns, and what its functions do. */
const made = new Set([
  'AdapterBase',
  'Answered',
  'Endpoint',
  'ErrorCode',
  'Expressible',
  'Format',
  'FormatAdapter',
  'Guard',
  'Management',
  'ManagementRoute',
  'NoticeOutcome',
  'Notifier',
  'OAuthIdentity',
  'OAuthProvider',
  'Operation',
  'OwnFormAdapter',
  'OwnOperationAdapter',
  'PaymentGateway',
  'Provider',
  'RefundResult',
  'SameFormAdapter',
  'TaskAdapter',
  'UpstreamRequest',
])

const onlyGiven = new Set(['given'])
const onlyMade = new Set(['made'])
const both = new Set(['given', 'made'])

/** The directions in which a name has to fit: `given`, `made` or both. `key` is `<name> of <entry>`. */
export function directionsOf(entry, key) {
  const [name] = key.split(' ')
  if (givenEntries.has(entry)) return madeOfThem.has(name) ? both : onlyGiven
  if (given.has(name)) return onlyGiven
  if (made.has(name)) return onlyMade
  // Functions and classes of the toolkit and of the conformance kit are the gateway's.
  if (!entry.startsWith('kernel/contract/') && /^[a-z]/.test(name)) return onlyGiven
  return both
}
