/** `/api/setup`: whether the gateway is set up, and the form that sets it up once. */
import joi from 'joi'
import type { Kit } from '../../../kernel/contract/kit.js'
import type { Management, ManagementRequest } from '../../../kernel/contract/management.js'
import { Refusal } from '../../../kernel/errors.js'
import { atThisMachine } from './at-this-machine.js'

interface SetupForm {
  readonly username: string
  readonly password: string
  readonly code: string
}

const form = joi
  .object({
    username: joi
      .string()
      .trim()
      .normalize('NFC')
      .pattern(/^[\p{L}\p{N}._@+-]{1,32}$/u, '1 to 32 letters, digits or . _ @ + -')
      .required(),
    password: joi.string().min(8).max(128, 'utf8').required(),
    confirmPassword: joi
      .valid(joi.ref('password'))
      .required()
      .messages({ 'any.only': 'The two passwords differ.' }),
    code: joi.string().allow('').max(64).default(''),
  })
  .prefs({ stripUnknown: true })
  .required()

export default function create({ services }: Kit<'database' | 'setup'>): Management {
  const { database, setup } = services

  function read() {
    return {
      status: setup.done(),
      root_init: setup.done(),
      database_type: database.kind === 'postgresql' ? 'postgres' : 'pglite',
    }
  }

  async function complete(request: ManagementRequest<unknown, SetupForm>) {
    if (setup.done()) throw new Refusal('setup_done')
    const { username, password, code } = request.body
    if (!atThisMachine(request) && !setup.isCode(code || headerCode(request))) {
      throw new Refusal('setup_code_required', { param: 'code' })
    }
    await setup.complete({ username, password })
    return null
  }

  return { routes: { read: { handle: read }, complete: { body: form, handle: complete } } }
}

function headerCode({ headers }: ManagementRequest): string {
  return String(headers['x-setup-code'] ?? '')
}
