// Which pages the site has, and in which group of its menu. A page below docs that no group names makes the build fail.
export const groups = [
  ['Start', [
    'docs/README.md', 'docs/guide/tutorial.md', 'docs/guide/concepts.md', 'docs/guide/settings.md', 'docs/sample.md',
    'docs/guide/faq.md',
  ]],
  ['How to', [
    'docs/guide/programs.md', 'docs/guide/timeouts.md', 'docs/guide/reminders.md', 'docs/guide/retries.md', 'docs/guide/webhooks.md',
    'docs/guide/sagas.md', 'docs/guide/rate-limits.md', 'docs/recipes.md', 'docs/handlers.md', 'docs/rabbitmq.md', 'docs/intake.md', 'docs/other-languages.md', 'docs/kotlin.md', 'docs/transactions.md',
    'docs/testing.md', 'docs/guide/deploying.md', 'docs/guide/upgrading.md', 'docs/guide/payloads.md',
    'docs/guide/from-rabbitmq-delayed-exchange.md', 'docs/guide/from-redisson.md', 'docs/guide/from-rqueue.md',
    'docs/guide/from-polling.md',
  ]],
  ['Reference', [
    'docs/configuration.md', 'docs/guarantees.md', 'docs/endpoint.md', 'docs/metrics.md', 'docs/bad-input.md',
    'docs/spring-boot.md', 'docs/how-we-know.md', 'docs/versioning.md', 'docs/glossary.md', 'CHANGELOG.md',
  ]],
  ['Operate', [
    'docs/checklist.md', 'docs/operations.md', 'docs/guide/failures.md', 'docs/console.md', 'docs/servers.md',
    'docs/guide/capacity.md', 'docs/security.md', 'docs/compatibility.md',
  ]],
  ['Design', [
    'docs/design/architecture.md', 'docs/design/redis-data-model.md', 'docs/design/adr/*',
  ]],
  ['Take part', [
    'CONTRIBUTING.md', 'docs/design/first-change.md', 'docs/design/conventions.md', 'docs/design/commands.md',
    'docs/design/releasing.md', 'CODE_OF_CONDUCT.md', 'SECURITY.md',
  ]],
]

// Pages that the site has besides those below docs.
export const outside = ['README.md', 'CHANGELOG.md', 'CONTRIBUTING.md', 'CODE_OF_CONDUCT.md', 'SECURITY.md']

// Where links lead that stay in the repository but not on the site.
export const repository = 'https://github.com/delayqueue/delayqueue/blob/main/'
