/** What an error of the database means to whoever requested something else. */
import t from 'tap'
import { egressError } from '../../../../kernel/toolkit/errors/egress-error.js'
import { clientError, Refusal } from '../../../../kernel/toolkit/errors/refusal.js'
import {
  isClosed,
  isFaultOfCall,
  isUnavailable,
} from '../../../../kernel/toolkit/service/availability.js'

const coded = (code: string) => Object.assign(new Error('no'), { code })

/** State, whether the database is at fault, whether nobody's call passes. */
const states: readonly (readonly [code: string, unavailable: boolean, closed: boolean])[] = [
  ['08006', true, true],
  ['25006', true, true],
  ['28P01', true, true],
  ['3D000', true, true],
  ['42501', true, true],
  ['53100', true, true],
  ['55000', true, true],
  ['57P03', true, true],
  ['58030', true, true],
  ['ECONNREFUSED', true, true],
  ['57014', true, false],
  ['XX000', true, false],
  ['99999', true, false],
  ['40P01', true, false],
  ['22003', false, false],
  ['23505', false, false],
  ['42601', false, false],
  ['P0001', false, false],
  ['ERR_INVALID_ARG_TYPE', false, false],
  ['', false, false],
]

t.test('only a fault of the call itself is not the fault of the database', async (t) => {
  for (const [code, unavailable, closed] of states) {
    t.equal(isUnavailable(coded(code)), unavailable, code)
    t.equal(isClosed(coded(code)), closed, code)
    t.equal(isFaultOfCall(coded(code)), /^2[23]/.test(code), code)
    const wrapped = Object.assign(new Error('insert into x - no'), { nativeError: coded(code) })
    t.equal(isUnavailable(wrapped), unavailable, `${code}, wrapped`)
  }
})

t.test(
  'a client hears 503 of a database that takes nothing, whatever it states (P1)',
  async (t) => {
    for (const [code, unavailable] of states) {
      const result = unavailable
        ? { status: 503, code: 'database_unavailable' }
        : { status: 500, code: 'internal_error' }
      t.match(clientError(coded(code)), result, code)
    }
    t.match(clientError(egressError(coded('ECONNREFUSED'), 'connecting')), { status: 500 })
    t.match(clientError(new Refusal('forbidden')), { status: 403 })
  },
)
