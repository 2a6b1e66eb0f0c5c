/** What libraries do to `String` must not cost those who read texts sign by sign. */
import { setFlagsFromString } from 'node:v8'
import tap from 'tap'
import { estimateTokens } from '../../../../kernel/toolkit/format/token-estimate.js'

setFlagsFromString('--allow-natives-syntax')
const isFast = new Function('object', 'return %HasFastProperties(object)') as (
  it: object,
) => boolean

tap.test('counting text keeps the methods of strings fast, whoever extends String', async (t) => {
  class Named extends String {}
  t.equal(String(new Named('All is well.')), 'All is well.')
  t.ok(estimateTokens('All is well.') > 0)
  t.ok(isFast(String.prototype))
})
