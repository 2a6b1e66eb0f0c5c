/** `/api/setup`: whether the gateway is set up, and the form that sets it up once. */
import joi from 'joi'
import type { Kit } from '../../../kernel/contract/kit.js'
import type { Answer, Management, ManagementRequest } from '../../../kernel/contract/management.js'
import { Refusal } from '../../../kernel/errors.js'
import { userName } from '../../../kernel/http/form-words.js'
import { atThisMachine } from './at-this-machine.js'

interface SetupForm {
  readonly username: string
  readonly password: string
  readonly code: string
  readonly SelfUseModeEnabled?: boolean
  readonly DemoSiteEnabled?: boolean
}

const form = joi
  .object({
    username: userName.required(),
    password: joi.string().min(8).max(128, 'utf8').required(),
    confirmPassword: joi
      .valid(joi.ref('password'))
      .required()
      .messages({ 'any.only': 'The two passwords differ.' }),
    code: joi.string().allow('').max(64).default(''),
    SelfUseModeEnabled: joi.boolean(),
    DemoSiteEnabled: joi.boolean(),
  })
  .prefs({ stripUnknown: true })
  .required()

export default function create({ services }: Kit<'database' | 'setup' | 'options'>): Management {
  const { database, setup, options } = services

  function read() {
    return {
      status: setup.done(),
      root_init: setup.done(),
      database_type: database.kind === 'postgresql' ? 'postgres' : 'pglite',
    }
  }

  async function complete(request: ManagementRequest<unknown, SetupForm>): Promise<Answer> {
    if (setup.done()) throw new Refusal('setup_done')
    const { username, password, code } = request.body
    if (!atThisMachine(request) && !setup.isCode(code || headerCode(request))) {
      throw new Refusal('setup_code_required', { param: 'code' })
    }
    await setup.complete({ username, password })
    // Only whoever won comes here: the options of a form that lost are not stored.
    const chosen = modes.filter((mode) => request.body[mode] !== undefined)
    if (chosen.length > 0) {
      await options.put(Object.fromEntries(chosen.map((mode) => [mode, request.body[mode]])))
    }
    const audit = { actor: await root(), object: `user ${username}`, detail: 'first root' }
    return { answer: true, data: null, audit }
  }

  async function root() {
    const row = await database.knex('users').select('id', 'username').where('role', 100).first()
    return { userId: row.id, username: row.username, role: 100 }
  }

  return { routes: { read: { handle: read }, complete: { body: form, handle: complete } } }
}

const modes = ['SelfUseModeEnabled', 'DemoSiteEnabled'] as const

function headerCode({ headers }: ManagementRequest): string {
  return String(headers['x-setup-code'] ?? '')
}
