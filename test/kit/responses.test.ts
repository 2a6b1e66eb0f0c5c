/** The check that every test applies to the responses of management routes finds what differs from their declaration. */
import joi from 'joi'
import t from 'tap'
import type { ManagementRoute } from '../../kernel/contract/management.js'
import { noData, pageOf } from '../../kernel/toolkit/management/paging.js'
import { holdRoutes, requireDeclaredResponses } from './responses.js'

const thing = joi.object({ id: joi.number(), note: joi.string().allow('').optional() })

interface Row {
  readonly title: string
  readonly route: Omit<ManagementRoute, 'handle'>
  readonly returned: unknown
  /** Absent: as declared. */
  readonly deviation?: string
}

const bytes = { body: Buffer.from('%PDF'), type: 'application/pdf', fileName: 'a.pdf' }
const file = { answer: true, bytes }
const page = { page: 1, page_size: 10, total: 1 }
const failed = { success: false, message: 'No.', code: 'no', data: null }

const rows: readonly Row[] = [
  { title: 'what is declared', route: { response: thing }, returned: { id: 1, note: '' } },
  { title: 'an optional key left out', route: { response: thing }, returned: { id: 1 } },
  { title: 'no data', route: { response: noData }, returned: null },
  { title: 'a big integer', route: { response: thing }, returned: { id: 1n } },
  { title: 'a declared file', route: { mediaType: 'application/pdf' }, returned: file },
  {
    title: 'a file of another type',
    route: { mediaType: 'image/png' },
    returned: file,
    deviation: 'application/pdf was returned, and image/png is declared',
  },
  {
    title: 'a file where data is declared',
    route: { response: thing },
    returned: file,
    deviation: 'application/pdf was returned, and no file is declared',
  },
  {
    title: 'data where a file is declared',
    route: { mediaType: 'application/pdf' },
    returned: { id: 1 },
    deviation: 'application/json was returned, and application/pdf is declared',
  },
  {
    title: 'a missing key',
    route: { response: thing },
    returned: { note: 'x' },
    deviation: 'data.id is required',
  },
  {
    title: 'an unknown key',
    route: { response: thing },
    returned: { id: 1, secret: 's' },
    deviation: 'data.secret is not allowed',
  },
  {
    title: 'a number as text',
    route: { response: thing },
    returned: { id: '1' },
    deviation: 'data.id must be a number',
  },
  {
    title: 'a wrong item of a page',
    route: { response: pageOf(thing) },
    returned: { ...page, items: [{ id: 1 }, { id: null }] },
    deviation: 'data.items[1].id must be a number',
  },
  {
    title: 'a field beside the data',
    route: { response: noData, beside: { ids: joi.array() } },
    returned: { answer: true, beside: { ids: [] } },
  },
  {
    title: 'a field beside the data that is not declared',
    route: { response: noData },
    returned: { answer: true, beside: { ids: [] } },
    deviation: 'ids is not allowed',
  },
  {
    title: 'a body of its own',
    route: { response: thing, bare: true },
    returned: { answer: true, bare: { id: 'x' } },
    deviation: 'id must be a number',
  },
  {
    title: 'a failure that is returned',
    route: { response: thing, failureStatuses: [502] },
    returned: { answer: true, status: 502, bare: failed },
  },
  {
    title: 'a failure that is returned with a status nobody declared',
    route: { response: thing, failureStatuses: [400] },
    returned: { answer: true, status: 502, bare: failed },
    deviation: 'the status 502 is not declared',
  },
]

for (const [index, { title, route, returned, deviation }] of rows.entries()) {
  t.test(`a response is held against its declaration: ${title}`, async (t) => {
    const url = `http://gateway-${index}`
    const held = { ...route, handle: () => returned }
    const reported: string[] = []
    const routes = [['management.things.read', held]] as const
    holdRoutes(url, routes, () => t.fail('the route is held once'))
    holdRoutes(url, routes, (one) => reported.push(one))
    t.equal(await held.handle(), returned)
    t.equal(await held.handle(), returned)
    if (deviation === undefined) return t.doesNotThrow(() => requireDeclaredResponses(url))
    t.strictSame(reported, [`management.things.read: ${deviation}`])
    t.throws(() => requireDeclaredResponses(url), {
      message: `responses are not as declared:\nmanagement.things.read: ${deviation}`,
    })
  })
}
