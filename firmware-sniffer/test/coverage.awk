# Adds up what `gcov -b` says of each file of the core; fails below 100 % of lines or 95 % of branches.
/^File / { core = $0 ~ /core\//; name = $0; gsub(/.*core\/|'$/, "", name) }
core && /^Lines executed:/ { split($0, part, /[:% ]+/); lines += $NF; run += $NF * part[3] / 100; printf "%-14s lines %6.2f %%", name, part[3] }
core && /^Taken at least once:/ { split($0, part, /[:% ]+/); branches += $NF; taken += $NF * part[5] / 100; printf "  branches %6.2f %%\n", part[5] }
core && core && /^No branches/ { print "" }
/^(Calls executed|No calls)/ { core = 0 }
END {
    if (lines == 0) { print "not ok 1 - gcov said nothing"; exit 1 }
    whole = 100 * run / lines
    half = branches ? 100 * taken / branches : 100
    good = whole >= 99.995 && half >= 95
    printf "%s 1 - %.2f %% of %d lines, %.2f %% of %d branches of the core\n1..1\n", good ? "ok" : "not ok", whole, lines, half, branches
    exit !good
}
