# Sourced by scripts/verify-servers where it is not root on Debian: runs it in a container of Debian 12, on a copy of the sources, so
# that nothing here becomes root's. What Maven fetches, the servers and the results are kept in a volume.

run_in_docker() {
  say "running in a container of Debian 12; what it keeps is in the volume delayqueue-servers"
  docker run --rm --init --cap-add SYS_ADMIN --security-opt apparmor=unconfined --security-opt seccomp=unconfined \
    -v "$PWD:/sources:ro" -v "$PWD/evidence/docs:/docs" -v delayqueue-servers:/kept \
    -e XDG_CACHE_HOME=/kept/cache -e "VERIFY_SERVERS_COMMIT=$commit" debian:bookworm sh -euc '
      apt-get -qq update
      apt-get -qq install -y --no-install-recommends openjdk-17-jdk-headless maven git ca-certificates > /dev/null
      mkdir -p /kept/m2 /kept/target /project
      ln -s /kept/m2 "$HOME/.m2"
      ln -s /kept/target /project/target
      tar -C /sources --exclude=target -c . | tar -C /project -x
      cd /project
      result=0
      scripts/verify-servers "$@" || result=$?
      cp -R evidence/docs/compatibility evidence/docs/compatibility.md /docs
      chown -R --reference=/docs /docs/compatibility /docs/compatibility.md
      exit $result' sh "$@"
}
