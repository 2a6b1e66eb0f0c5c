/** Automatic top-up: what users set, see and end. What they agree to is agreed to with an order of the area of payments. */
import type { Answer, Management, ManagementRequest } from '../../../kernel/contract/management.js'
import type { Kit } from '../../../kernel/contract/service-kit.js'
import { signedIn } from '../../../kernel/toolkit/management/index.js'
import type { AutoTopup, AutoTopupState } from '../../services/auto-topup/index.js'
import type { Payments } from '../../services/payments/index.js'
import * as forms from './forms.js'
import * as records from './records.js'

export default function create({ services }: Kit<'auto-topup' | 'payments'>): Management {
  const { payments, 'auto-topup': autoTopup } = services
  return {
    routes: {
      read: {
        response: records.autoTopup,
        handle: async (request) => records.autoTopupRecord(await autoTopup.read(payerOf(request))),
      },
      set: {
        body: forms.settingsForm,
        response: records.autoTopup,
        handle: (request) => set(request, autoTopup),
      },
      remove: {
        response: records.autoTopup,
        handle: (request) => remove(request, autoTopup),
      },
      portal: {
        body: forms.portalForm,
        response: records.portal,
        handle: (request) => portal(request, payments),
      },
    },
  }
}

async function set(
  request: ManagementRequest<unknown, forms.SettingsForm>,
  autoTopup: AutoTopup,
): Promise<Answer> {
  const { enabled: isOn, below, amount, monthly_cap: monthlyCap, gateway } = request.body
  const change = { ...payerOf(request), isOn, below: BigInt(below), amount, monthlyCap, gateway }
  const terms = `${amount} units below ${below}, up to ${monthlyCap} a month`
  return shown(await autoTopup.set(change), request, isOn ? terms : 'off')
}

async function remove(request: ManagementRequest, autoTopup: AutoTopup): Promise<Answer> {
  return shown(await autoTopup.remove(payerOf(request)), request, 'off, agreements forgotten')
}

async function portal(
  request: ManagementRequest<unknown, forms.PortalForm>,
  payments: Payments,
): Promise<Answer> {
  const { userId } = signedIn(request)
  const url = await payments.mandatePortal(userId, request.body.gateway)
  return { answer: true, data: { url }, audit: { object: `user ${userId}` } }
}

function shown(state: AutoTopupState, request: ManagementRequest<unknown, unknown>, what: string) {
  const audit = { object: `user ${signedIn(request).userId}`, detail: `automatic top-up ${what}` }
  return { answer: true, data: records.autoTopupRecord(state), audit } as const
}

function payerOf(request: ManagementRequest<unknown, unknown>) {
  const { userId, group } = signedIn(request)
  return { userId, group }
}
