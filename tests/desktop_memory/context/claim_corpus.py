"""Claims of invented answers about invented records, each with what a careful reader would say of it.

The first set was used while the rules were written; the others were written before. Their failures were seen once, and
general mends followed: they are no longer untouched.
"""

from __future__ import annotations

from desktop_memory.model import Source

S, M, W, U = "supported", "mismatch", "wrong citation", "unsupported"


def sources(*texts: str) -> list[Source]:
    return [Source(n=n, event=n, text=text) for n, text in enumerate(texts, start=1)]


TUNING = sources(
    "09:41 ran git rebase main, exit 0",
    "09:42 VS Code: retry.py, test_retry.py (6 min)",
    '09:44 searched "postgres advisory lock transaction vs session" · duckduckgo.com',
    '09:44 page "Explicit Locking – PostgreSQL 16" · postgresql.org (3 min)',
    '09:47 commit 8c1f2ab "LED-731 take advisory lock before charge" · billing/retry.py, billing/locks.py (+41 −9)',
    "09:49 ran pytest tests/test_retry.py, exit 0, 14 s",
    '09:51 page "LED-731 Duplicate charge after webhook retry" · atlassian.net (1 min)',
    "09:52–09:54 ran pytest tests/test_retry.py -k backoff ×2, exit 1, 11 s",
    "09:54 ran STRIPE_KEY=[redacted:key] python -m billing.replay --event evt_19 --dry-run, exit 0",
    '09:55 page "Freeze and tick: controlling time in tests" · readthedocs.io (40 s)',
)

TUNING_CLAIMS = [
    ("You rebased onto main at 09:41 [1].", S),
    ("The rebase onto main succeeded [1].", S),
    ("You had retry.py and test_retry.py open in VS Code for about six minutes [2].", S),
    ("You searched for the difference between transaction and session advisory locks in Postgres [3].", S),
    ("You spent 3 minutes on the PostgreSQL 16 page about explicit locking [4].", S),
    ("Commit 8c1f2ab takes an advisory lock before charging [5].", S),
    ("The commit touched billing/retry.py and billing/locks.py [5].", S),
    ("It added 41 lines and removed 9 [5].", S),
    ("The full retry tests passed in 14 seconds [6].", S),
    ("The backoff test failed twice [8].", S),
    ("You replayed evt_19 as a dry run [9].", S),
    ("LED-731 is about a duplicate charge after a webhook retry [7].", S),
    ("After committing the lock you ran the retry tests, which passed [5, 6].", S),
    ("The backoff test passed twice [8].", M),
    ("The retry tests failed [6].", M),
    ("The commit removed 41 lines [5].", S),
    ("The tests took 41 seconds [6].", M),
    ("The page was about PostgreSQL 15 explicit locking [4].", M),
    ("The backoff test failed three times [8].", M),
    ("The backoff test failed twice [6].", W),
    ("You rebased onto main [9].", W),
    ("You read about freezing time in tests [4].", W),
    ("You deployed the fix to production [5].", U),
    ("Redis was restarted at 09:50 [6].", U),
    ("The customer complained by e-mail [7].", U),
]

# Held out: a hospital pharmacist.
PHARMACY = sources(
    'Tue 4 Aug 08:12 page "Vancomycin dosing in renal impairment" · ashp.org (12 min)',
    "Tue 4 Aug 08:31 Excel: stock-count-july.xlsx (25 min)",
    'Tue 4 Aug 09:02 searched "heparin infusion compatibility potassium" · bing.com',
    'Tue 4 Aug 09:05 page "Y-site compatibility: heparin 100 units/mL" · globalrph.com (4 min)',
    'Tue 4 Aug 09:40 call: "Ward 7 round" · Teams (32 min)',
    'Tue 4 Aug 10:20 my note: "Dr. Okafor wants levels before the third dose; call ward 7 at 14:00"',
    "Tue 4 Aug 10:31 Word: vancomycin-protocol-v4.docx (48 min in 2 spans)",
    "Tue 4 Aug 11:30 downloaded alert-2026-31.pdf from the page in [9]",
    'Tue 4 Aug 11:28 page "Recall: ondansetron 8 mg, lot 44B7" · bfarm.de (3 min)',
    'Tue 4 Aug 11:45 my decision: "Quarantine lot 44B7, order 60 packs from the second supplier"',
)
PHARMACY_CLAIMS = [
    ("You looked up vancomycin dosing for patients with renal impairment [1].", S),
    ("The dosing page was open for 12 minutes [1].", S),
    ("You worked on the July stock count in Excel [2].", S),
    ("Heparin and potassium compatibility is what you searched for [3].", S),
    ("The compatibility page covered heparin at 100 units/mL [4].", S),
    ("The ward 7 round was a Teams call of 32 minutes [5].", S),
    ("Dr. Okafor wants levels before the third dose [6].", S),
    ("You planned to call ward 7 at 14:00 [6].", S),
    ("You spent 48 minutes on vancomycin-protocol-v4.docx [7].", S),
    ("The recall concerns ondansetron 8 mg, lot 44B7 [9].", S),
    ("You decided to quarantine lot 44B7 and to order 60 packs from the second supplier [10].", S),
    ("You downloaded alert-2026-31.pdf from the recall page [8, 9].", S),
    ("On 4 August you took part in the ward 7 round [5].", S),
    ("The recall concerns ondansetron 4 mg [9].", M),
    ("The recalled lot is 44B9 [9].", M),
    ("You decided to order 90 packs [10].", M),
    ("The call lasted 23 minutes [5].", M),
    ("Levels are wanted after the third dose [6].", M),
    ("You uploaded alert-2026-31.pdf [8].", M),
    ("You edited vancomycin-protocol-v3.docx [7].", M),
    ("Dr. Okafor wants levels before the third dose [1].", W),
    ("The July stock count was done in Excel [7].", W),
    ("You quarantined lot 44B7 [4].", W),
    ("You searched for heparin compatibility with potassium [9].", W),
    ("The pharmacy hired two technicians [2].", U),
    ("Insulin was out of stock [2].", U),
    ("A patient had an allergic reaction [6].", U),
    ("The budget for antibiotics was cut [10].", U),
]

# Held out: a data engineer.
PIPELINE = sources(
    "Mon 10 Aug 13:02 ran dbt run --select staging+, exit 1, 2 min",
    "Mon 10 Aug 13:06 DataGrip: orders_daily.sql (9 min)",
    'Mon 10 Aug 13:15 page "Incremental models – dbt 1.9" · getdbt.com (6 min)',
    "Mon 10 Aug 13:24 ran dbt run --select orders_daily --full-refresh, exit 0, 4 min",
    'Mon 10 Aug 13:31 commit f00dcafe "use merge strategy for orders_daily" · models/orders_daily.sql (+12 −30)',
    "Mon 10 Aug 13:40–13:52 ran dbt test ×3, exit 0, 55 s",
    'Mon 10 Aug 13:58 searched "snowflake merge duplicate row detected during dml" · google.com',
    'Mon 10 Aug 14:03 page "Airflow 2.10 release notes" · apache.org (2 min)',
    "Mon 10 Aug 14:10 ran airflow dags trigger nightly_orders, exit 0",
    'Mon 10 Aug 14:30 call: "Data platform weekly" · Zoom (45 min)',
    'Mon 10 Aug 15:20 my note: "Priya owns the backfill of 2024; start Thursday, 16 workers"',
)
PIPELINE_CLAIMS = [
    ("The first dbt run of staging failed [1].", S),
    ("You edited orders_daily.sql in DataGrip for nine minutes [2].", S),
    ("You read the dbt 1.9 page on incremental models [3].", S),
    ("A full refresh of orders_daily succeeded after 4 minutes [4].", S),
    ("Commit f00dcafe switched orders_daily to the merge strategy [5].", S),
    ("The commit added 12 lines and deleted 30 [5].", S),
    ("dbt test was run three times and passed [6].", S),
    ("You searched for the Snowflake error about a duplicate row detected during DML [7].", S),
    ("You triggered the nightly_orders DAG in Airflow [9].", S),
    ("The data platform weekly on Zoom took 45 minutes [10].", S),
    ("Priya owns the backfill of 2024 with 16 workers [11].", S),
    ("The backfill starts on Thursday [11].", S),
    ("You looked at the Airflow 2.10 release notes [8].", S),
    (
        "After the failing run you opened orders_daily.sql and then the dbt documentation on incremental models [1-3].",
        S,
    ),
    ("The first dbt run of staging passed [1].", M),
    ("You read the dbt 1.8 page on incremental models [3].", M),
    ("The full refresh took 14 minutes [4].", M),
    ("dbt test failed three times [6].", M),
    ("dbt test was run five times [6].", M),
    ("Priya will use 32 workers for the backfill [11].", M),
    ("The backfill starts on Monday [11].", M),
    ("You looked at the Airflow 2.9 release notes [8].", M),
    ("The nightly_orders DAG was triggered [4].", W),
    ("The merge strategy for orders_daily was committed as f00dcafe [3].", W),
    ("Priya owns the backfill of 2024 [10].", W),
    ("The data platform weekly took 45 minutes [11].", W),
    ("You migrated the warehouse to BigQuery [5].", U),
    ("Costs rose by 20 percent in July [10].", U),
    ("An index was added to the customers table [2].", U),
    ("The vendor signed the contract [11].", U),
]

# Held out: a landscape architect, in a busier style of answer.
GARDEN = sources(
    'Wed 5 Aug 09:10 AutoCAD: "Rosenpark site plan" (1 h 5 min)',
    'Wed 5 Aug 10:20 page "DIN 18916 – planting and maintenance" · din.de (8 min)',
    'Wed 5 Aug 10:41 searched "Tilia cordata Greenspire mature height" · duckduckgo.com',
    "Wed 5 Aug 10:44 page \"Tilia cordata 'Greenspire'\" · baumkunde.de (5 min)",
    "Wed 5 Aug 11:00 Excel: planting-list-rev-C.xlsx (22 min)",
    'Wed 5 Aug 11:30 my decision: "14 lime trees along the north path, 2.5 m clear of the gas line"',
    'Wed 5 Aug 13:05 call: "Rosenpark, city council" · Webex (50 min)',
    'Wed 5 Aug 14:00 my note: "Council wants permeable paving, budget 180000 EUR, answer by Fri 14 Aug"',
    "Wed 5 Aug 14:20 Word: offer-paving-2.docx, first seen (35 min)",
)
GARDEN_CLAIMS = [
    ("- **Site plan**: you worked on the Rosenpark site plan in AutoCAD for 1 hour and 5 minutes [1]", S),
    ("- The standard you consulted was DIN 18916 on planting and maintenance [2]", S),
    ("- You checked the mature height of Tilia cordata Greenspire [3][4]", S),
    ("- Revision C of the planting list was open in Excel [5]", S),
    ("- Decision: 14 lime trees along the north path, 2.5 m clear of the gas line [6]", S),
    ("- The city council call on Webex lasted 50 minutes [7]", S),
    ("- The council asked for permeable paving within 180,000 EUR [8]", S),
    ("- An answer is due by 14 August [8]", S),
    ("- The paving offer, offer-paving-2.docx, appeared for the first time that day [9]", S),
    ("- Decision: 24 lime trees along the north path [6]", M),
    ("- The trees stay 1.5 m clear of the gas line [6]", M),
    ("- The budget for permeable paving is 280,000 EUR [8]", M),
    ("- An answer is due by 21 August [8]", M),
    ("- The standard you consulted was DIN 18920 on planting [2]", M),
    ("- The lime trees stand along the south path [6]", M),
    ("- The city council call lasted 15 minutes [7]", M),
    ("- The council wants permeable paving [2]", W),
    ("- Fourteen lime trees will stand along the north path [9]", W),
    ("- You checked Tilia cordata Greenspire [1]", W),
    ("- The playground needs new swings [7]", U),
    ("- A permit was refused by the heritage office [8]", U),
    ("- Irrigation will cost 12,000 EUR [6]", U),
]

HELD_OUT = [(PHARMACY, PHARMACY_CLAIMS), (PIPELINE, PIPELINE_CLAIMS), (GARDEN, GARDEN_CLAIMS)]
