/** The steps of the first start and the one form they fill. What the gateway refuses leads back to the step at fault. */
import { ref } from 'vue'
import { type ComposerTranslation, useI18n } from 'vue-i18n'
import { ApiFailure } from '../../api/failure.js'
import { signInByPassword } from '../../api/session.js'
import { type SetupState, setUp } from '../../api/setup.js'
import { queryClient } from '../../shell/queries.js'
import { useSession } from '../../shell/session.js'
import { useSite } from '../../shell/site.js'
import { passwordLengthMin, tooLong, tooShort } from '../../ui/form/password-strength.js'
import { type Form, useForm } from '../../ui/form/use-form.js'

export const steps = ['database', 'account', 'usage'] as const
export type Step = (typeof steps)[number]

export interface WizardValues {
  username: string
  password: string
  confirmPassword: string
  code: string
  usage: 'customers' | 'own' | 'demo'
  /** Quota that root begins with. */
  balance: number
  /** Anyone may join. */
  opens: boolean
  /** Channels may point to private addresses. */
  reachesPrivate: boolean
}

export type WizardForm = Form<WizardValues>

const first: WizardValues = {
  username: 'root',
  password: '',
  confirmPassword: '',
  code: '',
  usage: 'customers',
  balance: 0,
  opens: false,
  reachesPrivate: false,
}

interface Stores {
  readonly session: ReturnType<typeof useSession>
  readonly site: ReturnType<typeof useSite>
}

export function useWizard() {
  const { t } = useI18n()
  const session = useSession()
  const site = useSite()
  const step = ref<Step | 'done'>('database')
  const linked = codeOfLink()
  const asksCode = ref(linked === '')
  /** Whether private addresses are a question here. */
  const asksPrivate = ref(false)
  const signedIn = ref(false)
  const check = (values: WizardValues) => faultsOf(values, t)
  const form: WizardForm = useForm({ initial: { ...first, code: linked }, save, check })
  const entered = () => signedInAs(form.values, { session, site })

  /** What the gateway suggests for where it stands, until somebody chooses. */
  function suggest({ suggested }: SetupState): void {
    form.values.opens = suggested?.RegisterEnabled ?? false
    form.values.reachesPrivate = suggested?.PrivateUpstreamsEnabled ?? false
    asksPrivate.value = suggested?.PrivateUpstreamsEnabled !== undefined
  }

  async function save(values: WizardValues): Promise<void> {
    try {
      await setUp(choicesOf(values, asksPrivate.value))
    } catch (error) {
      if (!(error instanceof ApiFailure)) throw error
      if (error.code === 'setup_code_required') asksCode.value = true
      // The answer to an earlier try may have been lost: then this account is root's.
      if (error.code !== 'setup_done' || !(await entered())) throw error
    }
  }

  /** To the last step, once the account's fields are sound. */
  function checked(): void {
    for (const name of Object.keys(form.faults)) delete form.faults[name]
    Object.assign(form.faults, check(form.values))
    if (Object.keys(form.faults).length === 0) step.value = 'usage'
  }

  async function finish(): Promise<void> {
    if (!(await form.submit())) {
      if (Object.keys(form.faults).length > 0) step.value = 'account'
      return
    }
    signedIn.value = session.self !== undefined || (await entered())
    step.value = 'done'
  }

  return {
    step,
    form,
    asksCode,
    asksPrivate,
    suggest,
    signedIn,
    checked,
    finish,
    go(to: Step) {
      step.value = to
    },
  }
}

function faultsOf(
  { username, password, confirmPassword }: WizardValues,
  t: ComposerTranslation,
): Record<string, string> {
  const faults: Record<string, string> = {}
  if (username.trim() === '') faults.username = t('setup.account.nameMissing')
  if (tooShort(password)) faults.password = t('setup.account.short', { min: passwordLengthMin })
  if (tooLong(password)) faults.password = t('setup.account.long')
  if (confirmPassword !== password) faults.confirmPassword = t('setup.account.differs')
  return faults
}

function choicesOf(values: WizardValues, asksPrivate: boolean): Parameters<typeof setUp>[0] {
  const { usage, opens, reachesPrivate, balance, ...account } = values
  return {
    ...account,
    root_balance: balance,
    SelfUseModeEnabled: usage === 'own',
    DemoSiteEnabled: usage === 'demo',
    RegisterEnabled: opens,
    ...(asksPrivate && { PrivateUpstreamsEnabled: reachesPrivate }),
  }
}

/** Set up it is, whether or not the first sign-in goes well. */
async function signedInAs(
  { username, password }: WizardValues,
  { session, site }: Stores,
): Promise<boolean> {
  try {
    await signInByPassword({ username, password })
    await Promise.all([site.load(), session.read()])
    await queryClient.invalidateQueries({ queryKey: ['setup'] })
    return session.self !== undefined
  } catch {
    await site.load()
    return false
  }
}

/** The link the gateway printed holds its code behind the `#`, which no server and no log sees. It is taken out at once. */
function codeOfLink(): string {
  const code = new URLSearchParams(location.hash.slice(1)).get('code') ?? ''
  if (code !== '') history.replaceState(history.state, '', location.pathname)
  return code
}
