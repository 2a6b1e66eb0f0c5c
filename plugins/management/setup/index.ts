/** `/api/setup`: whether the gateway is set up, its questions, and the form that sets it up once. */
import joi from 'joi'
import type { Answer, Management, ManagementRequest } from '../../../kernel/contract/management.js'
import type { Kit } from '../../../kernel/contract/service-kit.js'
import { Refusal } from '../../../kernel/toolkit/errors/index.js'
import { newPassword, noData, userName } from '../../../kernel/toolkit/management/index.js'
import { onPublicAddress } from './on-public-address.js'
import { setupState } from './responses.js'

interface SetupForm {
  readonly username: string
  readonly password: string
  readonly code: string
  readonly root_balance: number
  readonly SelfUseModeEnabled?: boolean
  readonly DemoSiteEnabled?: boolean
  readonly RegisterEnabled?: boolean
  readonly PrivateUpstreamsEnabled?: boolean
}

/** Quota, of a billion dollars; as much as one entry by hand may move. */
const balanceMax = 1_000_000_000 * 500_000

const form = joi
  .object({
    username: userName.required(),
    password: newPassword.required(),
    confirmPassword: joi
      .valid(joi.ref('password'))
      .required()
      .messages({ 'any.only': 'The two passwords differ.' }),
    code: joi.string().allow('').max(64).default(''),
    root_balance: joi
      .number()
      .integer()
      .min(0)
      .max(balanceMax)
      .default(0)
      .description('Quota that the root user begins with.'),
    SelfUseModeEnabled: joi.boolean(),
    DemoSiteEnabled: joi.boolean(),
    RegisterEnabled: joi
      .boolean()
      .description('Anyone may join. Left out: not on a public address.'),
    PrivateUpstreamsEnabled: joi
      .boolean()
      .description('Channels may point to private addresses. Left out: not on a public address.'),
  })
  .prefs({ stripUnknown: true })
  .required()

export default function create({
  services,
}: Kit<'database' | 'setup' | 'options' | 'system'>): Management {
  const { database, setup, options, system } = services
  const { host, allowPrivateUpstreams } = system.environment

  function read(request: ManagementRequest) {
    const done = setup.done()
    return {
      status: done,
      root_init: done,
      database_type: database.kind === 'postgresql' ? 'postgres' : 'pglite',
      ...(!done && { suggested: suggested(request) }),
    }
  }

  /** What a form may leave out, by question. What the environment has decided is no question. */
  function suggested(request: ManagementRequest) {
    const open = !onPublicAddress(host, request)
    return {
      RegisterEnabled: open,
      ...(allowPrivateUpstreams === undefined && { PrivateUpstreamsEnabled: open }),
    }
  }

  async function complete(request: ManagementRequest<unknown, SetupForm>): Promise<Answer> {
    if (setup.done()) throw new Refusal('setup_done')
    const { username, password, code, root_balance: balance } = request.body
    if (!setup.isCode(code || headerCode(request))) {
      throw new Refusal('setup_code_required', { param: 'code' })
    }
    const answers = answersOf(request.body, onPublicAddress(host, request))
    // What closes is stored before there is a root: a fault in between leaves no door open.
    await put(answers.filter(([name, isOn]) => isOn === false && doors.includes(name)))
    await setup.complete({ username, password, balance })
    // Only whoever won comes here: nothing is opened by a form that lost.
    await put(answers)
    const audit = { actor: await root(), object: `user ${username}`, detail: 'first root' }
    return { answer: true, data: null, audit }
  }

  async function put(answers: readonly OptionAnswer[]): Promise<void> {
    if (answers.length > 0) await options.put(Object.fromEntries(answers))
  }

  async function root() {
    const row = await database.knex('users').select('id', 'username').where('role', 100).first()
    return { userId: row.id, username: row.username, role: 100 }
  }

  return {
    routes: {
      read: { response: setupState, handle: read },
      complete: { body: form, response: noData, handle: complete },
    },
  }
}

type OptionAnswer = readonly [name: string, isOn: boolean]

const modes = ['SelfUseModeEnabled', 'DemoSiteEnabled'] as const
const doors: readonly string[] = ['RegisterEnabled', 'PrivateUpstreamsEnabled']

/** On a public address nobody may join and nothing private be called unless the form allows it. */
function answersOf(form: SetupForm, isPublic: boolean): readonly OptionAnswer[] {
  const { RegisterEnabled, PrivateUpstreamsEnabled } = form
  const reported = {
    ...Object.fromEntries(modes.map((mode) => [mode, form[mode]])),
    RegisterEnabled: RegisterEnabled ?? (isPublic ? false : undefined),
    PrivateUpstreamsEnabled: PrivateUpstreamsEnabled ?? (isPublic ? false : undefined),
  }
  return Object.entries(reported).flatMap(([name, isOn]) =>
    isOn === undefined ? [] : [[name, isOn]],
  )
}

function headerCode({ headers }: ManagementRequest): string {
  return String(headers['x-setup-code'] ?? '')
}
