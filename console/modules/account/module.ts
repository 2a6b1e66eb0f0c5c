/** The person's own account: profile, sign-in, notices, invitations. */
import { UserRound } from '@lucide/vue'
import { type ConsoleRoute, defineModule } from '../../shell/module.js'

type Part = Pick<ConsoleRoute, 'path' | 'name' | 'title' | 'page'>

const parts: readonly Part[] = [
  {
    path: '/profile',
    name: 'account',
    title: { en: 'Profile', zh: '个人资料' },
    page: () => import('./profile-page.vue'),
  },
  {
    path: '/profile/security',
    name: 'account.security',
    title: { en: 'Security', zh: '安全' },
    page: () => import('./security-page.vue'),
  },
  {
    path: '/profile/notices',
    name: 'account.notices',
    title: { en: 'Notices', zh: '通知' },
    page: () => import('./notices-page.vue'),
  },
  {
    path: '/profile/invitations',
    name: 'account.invitations',
    title: { en: 'Invitations', zh: '邀请' },
    page: () => import('./invitations-page.vue'),
  },
]

export default defineModule({
  id: 'account',
  routes: parts.map((part) => ({ ...part, frame: 'app', role: 1 })),
  menu: [
    {
      route: 'account',
      title: { en: 'Profile and security', zh: '个人资料与安全' },
      icon: UserRound,
      section: 'account',
      under: 'wallet',
      order: 50,
      role: 1,
    },
  ],
  texts: { en: () => import('./locales/en.js'), zh: () => import('./locales/zh.js') },
})
